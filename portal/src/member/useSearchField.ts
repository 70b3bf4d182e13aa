import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { session } from '../kit/session.ts'
import { useCallingCode } from './callingCode.ts'
import { loadPhones, usePhones } from './phones.ts'
import { lookUpOf, type Method, methodFor, methods, plainMobile, type Trouble } from './typed.ts'

const methodKey = () => session.keyOf('search-method')

/** The search field: how it is read, what stands in it, what is wrong with it. */
export function useSearchField() {
  const phones = usePhones()
  const { callingCode, callingCodes, chooseCallingCode } = useCallingCode()
  const [method, setMethod] = useState<Method>(rememberedMethod)
  const [text, setText] = useState('')
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  const [switched, setSwitched] = useState(false)

  const write = (typed: string, as: Method, country: string) => {
    setText(as === 'mobile' && phones ? phones.grouped(typed, country) : typed)
    setTrouble(null)
  }
  const choose = (next: Method) => {
    localStorage.setItem(methodKey(), next)
    setMethod(next)
    setTrouble(null)
    setSwitched(false)
  }
  const chooseCountry = (code: string) => {
    chooseCallingCode(code)
    write(text, 'mobile', code)
  }

  return {
    method,
    callingCode,
    callingCodes,
    text,
    trouble,
    /** The method was changed by what was pasted. */
    switched,
    phones,
    choose,
    chooseCountry,
    setTrouble,
    clear: () => setText(''),
    type(typed: string) {
      setSwitched(false)
      write(typed, method, callingCode)
    },
    /** @returns whether the paste was taken care of */
    paste(pasted: string): boolean {
      const next = methodFor(pasted, method)
      const number = next === 'mobile' ? phones?.read(pasted, callingCode) : undefined
      const country = callingCodes.find((code) => code === number?.countryCode)
      const belongsElsewhere = country !== undefined && country !== callingCode
      if (next === method && !belongsElsewhere) return false
      choose(next)
      setSwitched(next !== method)
      if (country !== undefined) {
        chooseCountry(country)
        write(number?.mobile ?? pasted, 'mobile', country)
      } else write(pasted.trim(), next, callingCode)
      return true
    },
    /** What the field names now, if its number is a whole one: enough for a peek. */
    complete: method === 'mobile' ? (phones?.read(text, callingCode) ?? null) : null,
    /** What the field names, or what is wrong; waits for the rules of numbers if it must. */
    async read() {
      const rules = method === 'mobile' ? await loadPhones().catch(() => null) : null
      return lookUpOf(method, text, (typed) =>
        rules ? rules.read(typed, callingCode) : plainMobile(typed, callingCode),
      )
    },
  }
}

export type SearchField = ReturnType<typeof useSearchField>

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
