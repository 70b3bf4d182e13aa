import type { Language } from '../wire/language.ts'
import { decimalText, minus, plainText, readDecimal } from './decimal.ts'

const hundred = { units: 100n, scale: 0 }
const numerals = '零一二三四五六七八九'

/**
 * A discount as a customer reads it. Chinese names the part that is paid, in tenths: 20 percent off
 * is `八折` in China, `8 折` in Hong Kong and Taiwan; half price is `五折`, `半價`, `5 折`.
 * @param percent the part that is not paid, a decimal number such as `15` or `12.5`
 * @returns null if there is no discount, or if `percent` is not a number
 */
export function discountText(percent: string, language: Language): string | null {
  const off = readDecimal(percent)
  if (off === null || off.units <= 0n) return null
  const paid = minus(hundred, off)
  if (paid.units <= 0n)
    return { 'en-US': 'Free', 'zh-CN': '免费', 'zh-HK': '免費', 'zh-TW': '免費' }[language]
  if (language === 'en-US') return `${plainText(decimalText(off))}% off`
  // 85 percent are 8.5 tenths.
  const tenths = plainText(decimalText({ units: paid.units, scale: paid.scale + 1 }))
  if (language === 'zh-CN') return `${numeralsOf(tenths)}折`
  if (language === 'zh-HK' && tenths === '5') return '半價'
  // 85 折, but 8.75 折 and 0.5 折.
  return `${/^[1-9]\.\d$/.test(tenths) ? tenths.replace('.', '') : tenths} 折`
}

/** `8.5` → `八五`. Numbers with more digits, and those below 1, keep their digits. */
function numeralsOf(tenths: string): string {
  if (!/^[1-9](\.\d)?$/.test(tenths)) return tenths
  return tenths.replace('.', '').replaceAll(/\d/g, (digit) => numerals.charAt(Number(digit)))
}
