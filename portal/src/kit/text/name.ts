import { isHan, lastDigits } from '@tillside/contract/rules/person'

/**
 * The `lang` attribute for a name. Without it the bullets of a masked Latin name would use a
 * Chinese font, each a whole character wide.
 */
export function languageOf(name: string): string | undefined {
  return isHan(name) ? undefined : 'en'
}

/** `+852 •••• 5678`; without a country code only the masked number. */
export function maskedNumber(countryCode: string | null, mobile: string): string {
  const number = `\u2022\u2022\u2022\u2022 ${lastDigits(mobile)}`
  return countryCode === null ? number : `+${countryCode} ${number}`
}
