// How people and their contacts are written, and how they are hidden from the other side of
// the counter (ux.md D6).

type Named = { firstName: string; lastName: string }

const han = /\p{Script=Han}/u
const bullets = '\u2022\u2022\u2022'

/** Chinese: last name then first name, no space. Others: first then last, capitalised. */
export function fullName({ firstName, lastName }: Named): string {
  const first = firstName.trim()
  const last = lastName.trim()
  if (han.test(first) || han.test(last)) return `${last}${first}`
  return [first, last]
    .filter((part) => part !== '')
    .map(capitalise)
    .join(' ')
}

/** Only the first letter of a word changes: `McDonald` and `LEE` stay as their owners write. */
function capitalise(words: string): string {
  return words.replace(/(^|[\s\-'’])(\p{Ll})/gu, (_, before: string, letter: string) => {
    return before + letter.toLocaleUpperCase('en')
  })
}

/**
 * The language to mark a name with. Without, the bullets of a hidden Latin name would be set in
 * Chinese, each a whole character wide.
 */
export function languageOf(name: string): string | undefined {
  return han.test(name) ? undefined : 'en'
}

/** The first and the last character stay: `陳•玲`, `G•••e`. */
export function maskedName(named: Named): string {
  const name = fullName(named)
  const characters = Array.from(new Intl.Segmenter().segment(name), (s) => s.segment)
  const first = characters[0] ?? ''
  if (characters.length < 3) return `${first}\u2022`
  // The number of Han characters is part of how a clerk recognises a name; a Latin length is not.
  const middle = han.test(name) ? '\u2022'.repeat(characters.length - 2) : bullets
  return `${first}${middle}${characters.at(-1) ?? ''}`
}

/** `+852 •••• 5678`; without a country code only the hidden number. */
export function maskedMobile(countryCode: string | null, mobile: string): string {
  const shown = mobile.length > 6 ? 4 : 2
  const number = `\u2022${bullets} ${mobile.slice(-shown)}`
  return countryCode === null ? number : `+${countryCode} ${number}`
}

/** `m•••@example.com` */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at < 1) return bullets
  const [first = ''] = email
  return `${first}${bullets}${email.slice(at)}`
}
