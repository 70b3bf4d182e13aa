// How a person's name and contacts are written, and how they are masked where another customer
// could read the screen. The server and the portal mask alike, so that a masked contact that is
// sent back is known again.

export type Named = { firstName: string; lastName: string }

const han = /\p{Script=Han}/u

/** Replaces masked characters; no contact contains it. */
export const maskCharacter = '\u2022'
const three = maskCharacter.repeat(3)

/** Whether a name is written in Chinese characters, at least in part. */
export function isHan(name: string): boolean {
  return han.test(name)
}

/** Chinese: last name then first name, no space. Others: first then last, capitalised. */
export function fullName({ firstName, lastName }: Named): string {
  const first = firstName.trim()
  const last = lastName.trim()
  if (isHan(first) || isHan(last)) return `${last}${first}`
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

/** The first and the last character of a full name: `陳•玲`, `G•••e`; of two only the first. */
export function maskedName(named: Named): string {
  const name = fullName(named)
  const characters = Array.from(new Intl.Segmenter().segment(name), (s) => s.segment)
  const first = characters[0] ?? ''
  if (characters.length < 3) return first + maskCharacter
  // The number of Han characters is part of how a clerk recognises a name; a Latin length is not.
  const middle = isHan(name) ? maskCharacter.repeat(characters.length - 2) : three
  return first + middle + (characters.at(-1) ?? '')
}

/**
 * The name for a greeting on a screen that others can read: the given name, and of a Chinese name,
 * where the given name alone is too familiar, its first and last character.
 */
export function greetingName(named: Named): string {
  const first = named.firstName.trim()
  if (isHan(fullName(named)) || first === '') return maskedName(named)
  return capitalise(first)
}

/** The digits of a number that stay visible: the last four, or two of six digits or fewer. */
export function lastDigits(mobile: string): string {
  return mobile.slice(mobile.length > 6 ? -4 : -2)
}

/** `••••5678` */
export function maskedMobile(mobile: string): string {
  return maskCharacter + three + lastDigits(mobile)
}

/** The first character of an address, and its domain: `m•••@example.com`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email
  return at < 1 ? three : first + three + email.slice(at)
}
