import type { OtherConfig } from '@tillside/contract/company'
import type { Language } from '@tillside/contract/wire/language'
import { currencyDecimals } from '@tillside/contract/rules/money'
import { useCallback } from 'react'
import { currencySign, formatMoney } from '../kit/text/format.ts'
import { useLanguage } from '../kit/text/language.ts'
import { useConfig } from './config.ts'

/**
 * Formats amounts with the decimals of the currency, and with its sign if the company shows it.
 */
export function useMoney(): (amount: string) => string {
  const language = useLanguage()
  const sign = signOfAmounts(useConfig()?.currency, language)
  const places = useDecimals()
  return useCallback((amount) => formatMoney(amount, sign, places), [sign, places])
}

/** The decimals of the company's currency; two until the company is known. */
export function useDecimals(): number {
  return currencyDecimals(useConfig()?.currency.code ?? null)
}

/**
 * The sign before amounts; empty unless the company shows one. A company that names no currency has
 * that of the language (specification, section 9).
 */
export function signOfAmounts(
  currency: OtherConfig['currency'] | undefined,
  language: Language,
): string {
  if (currency?.shown !== true) return ''
  return currencySign(currency.code ?? (language === 'en-US' ? 'USD' : 'CNY'), language)
}
