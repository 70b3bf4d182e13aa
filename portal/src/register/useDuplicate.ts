import { useQuery } from '@tanstack/react-query'
import type { Member } from '@tillside/contract/member'
import { useEffect, useState } from 'react'
import { memberQuery } from '../member/member.ts'
import type { Contact } from './useCode.ts'

const debounceMs = 300

/** The member who already has this contact; loaded when the input has not changed for a moment. */
export function useDuplicate(contact: Contact | null): Member | null {
  const named = JSON.stringify(contact)
  const [settled, setSettled] = useState(named)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(named), debounceMs)
    return () => clearTimeout(timer)
  }, [named])
  const lookUp = contact?.kind === 'email' ? { email: contact.email } : (contact?.mobile ?? null)
  const { data } = useQuery({
    ...memberQuery(lookUp ?? { code: '' }),
    enabled: lookUp !== null && settled === named,
    retry: false,
  })
  return lookUp === null ? null : (data ?? null)
}
