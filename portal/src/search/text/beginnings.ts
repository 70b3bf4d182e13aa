import { session } from '../../kit/call/session.ts'

// A card number can begin like a complete mobile number. While a clerk types such a card, its
// beginning would look another member up. So this tab remembers how longer numbers begin.

/** The digits that all cards of one issuer have, and few mobile numbers. */
const issuerDigits = 4

/** The most digits of a number, by its beginning. */
const longest = new Map<string, number>()

session.watch((info) => {
  if (info === null) longest.clear()
})

/** Remembers how a number of digits begins, as a card or a member's code does. */
export function rememberBeginning(text: string): void {
  if (!/^\d+$/.test(text)) return
  const beginning = text.slice(0, issuerDigits)
  longest.set(beginning, Math.max(text.length, longest.get(beginning) ?? 0))
}

/** Whether a longer number is known that begins like this text. */
export function mayGoOn(text: string): boolean {
  const digits = digitsOf(text)
  return (longest.get(digits.slice(0, issuerDigits)) ?? 0) > digits.length
}

/** Remembers a text that the clerk has typed on after a complete number. */
export function rememberTyped(before: string, after: string): void {
  const [known, typed] = [digitsOf(before), digitsOf(after)]
  if (typed.length > known.length && typed.startsWith(known)) rememberBeginning(typed)
}

/** The digits of a text, without the marks with which numbers are grouped. */
function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '')
}
