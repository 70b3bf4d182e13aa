import { useCallback } from 'react'
import { currencySign, formatMoney } from '../kit/text/format.ts'
import { useLanguage } from '../kit/text/language.ts'
import { useConfig } from './config.ts'

/**
 * Formats amounts with two decimals, and with the sign of the currency if the company shows it. A
 * company that names no currency has that of the language (specification, section 9).
 */
export function useMoney(): (amount: string) => string {
  const language = useLanguage()
  const currency = useConfig()?.currency
  const code = currency?.code ?? (language === 'en-US' ? 'USD' : 'CNY')
  const sign = currency?.shown === true ? currencySign(code, language) : ''
  return useCallback((amount) => formatMoney(amount, sign), [sign])
}
