import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { session } from '../kit/session.ts'
import type { LookUp } from '../paths.ts'
import { loadPhones, useCallingCode, usePhones } from '../member/phones.ts'
import {
  lookUpOf,
  type Method,
  methodFor,
  methods,
  plainMobile,
  type Trouble,
  ungrouped,
  unstuck,
} from './typed.ts'

const methodKey = () => session.keyOf('search-method')

/**
 * The search field: how it is read, what stands in it, what is wrong with it.
 * @param given the look-up that came with the address, to stand in the field
 */
export function useSearchField(given: LookUp | null) {
  const phones = usePhones()
  const { callingCode, callingCodes, chooseCallingCode } = useCallingCode()
  const [{ method, typed }, setContent] = useState(() => contentOf(given))
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [switched, setSwitched] = useState(false)
  const text = method === 'mobile' && phones ? phones.grouped(typed, callingCode) : typed

  const write = (content: Content) => {
    setContent(content)
    setTrouble(null)
    setSwitched(false)
  }
  return {
    method,
    callingCode,
    callingCodes,
    text,
    trouble,
    /** The method was changed by what was pasted. */
    switched,
    setTrouble,
    chooseCountry(code: string) {
      chooseCallingCode(code)
      setTrouble(null)
    },
    /** What was typed goes along: it was the method that was wrong, not the digits. */
    choose(next: Method) {
      remember(next)
      write({ method: next, typed: method === 'mobile' ? ungrouped(text) : text })
    },
    type: (next: string) =>
      write({ method, typed: method === 'mobile' ? unstuck(text, next) : next }),
    /** @returns whether the paste was taken care of */
    paste(pasted: string): boolean {
      const next = methodFor(pasted, method)
      const number = next === 'mobile' ? phones?.read(pasted, callingCode) : undefined
      const country = callingCodes.find((code) => code === number?.countryCode)
      const isAbroad = country !== undefined && country !== callingCode
      if (next === method && !isAbroad) return false
      remember(next)
      if (country !== undefined) chooseCallingCode(country)
      const known = country === undefined ? undefined : number?.mobile
      write({ method: next, typed: known ?? pasted.trim() })
      setSwitched(next !== method)
      return true
    },
    /** What the field names now, if its number is a whole one: enough for a peek. */
    complete: method === 'mobile' ? (phones?.read(text, callingCode) ?? null) : null,
    /** What the field names, or what is wrong; waits for the rules of numbers if it must. */
    async read() {
      const rules = method === 'mobile' ? await loadPhones().catch(() => null) : null
      return lookUpOf(method, text, (number) =>
        rules ? rules.read(number, callingCode) : plainMobile(number, callingCode),
      )
    },
  }
}

type Content = { method: Method; typed: string }

/** A customer number has no method of its own and is nothing to be read aloud. */
function contentOf(given: LookUp | null): Content {
  if (given === null || 'uniCustomerNo' in given) return { method: rememberedMethod(), typed: '' }
  if ('mobile' in given) return { method: 'mobile', typed: `+${given.countryCode}${given.mobile}` }
  if ('email' in given) return { method: 'email', typed: given.email }
  return 'code' in given
    ? { method: 'code', typed: given.code }
    : { method: 'card', typed: given.cardNumber }
}

export type SearchField = ReturnType<typeof useSearchField>

function remember(method: Method) {
  localStorage.setItem(methodKey(), method)
}

function rememberedMethod(): Method {
  const kept = localStorage.getItem(methodKey())
  return methods.find((method) => method === kept) ?? 'mobile'
}

/** The words of the search field, by method and by what is wrong. */
export function useSearchTexts() {
  const { t } = useLingui()
  const methodNames: Record<Method, string> = {
    mobile: t({ id: 'search.mobile', message: 'Mobile' }),
    card: t({ id: 'search.card', message: 'Card no.' }),
    code: t({ id: 'search.code', message: 'Member code' }),
    email: t({ id: 'search.email', message: 'Email' }),
  }
  const troubles: Record<Trouble, string> = {
    mobileReq: t({ id: 'search.mobileReq', message: 'Please enter the mobile number' }),
    cardReq: t({ id: 'search.cardReq', message: 'Please enter the card number' }),
    codeReq: t({ id: 'search.codeReq', message: 'Please enter the member code' }),
    emailReq: t({ id: 'search.emailReq', message: 'Please enter the email' }),
    mobileBad: t({ id: 'search.mobileBad', message: 'Please enter a valid mobile number' }),
    codeBad: t({ id: 'search.codeBad', message: 'Only a-Z/0-9' }),
    emailBad: t({ id: 'search.emailBad', message: 'Please enter the correct email' }),
  }
  return { methodNames, troubles }
}
