import { useQueryClient } from '@tanstack/react-query'
import type { Input } from '@tillside/contract/wire/endpoint'
import type { createCustomer, Member } from '@tillside/contract/member'
import { useEffect, useRef } from 'react'
import type { Refusal } from '../kit/call/failure.ts'
import { useSending } from '../kit/action/useSending.ts'
import { useSession } from '../kit/call/session.ts'
import { memberQuery } from '../member/member.ts'
import { createRegistration } from './registration.ts'

/** Sends the form once for each press of the button, and reports the result. */
export function useRegistration(
  onMade: (member: Member) => void,
  onRefused: (refusal: Refusal) => void,
) {
  const clerk = useSession()
  const queries = useQueryClient()
  const latestOnRefused = useRef(onRefused)
  useEffect(() => {
    latestOnRefused.current = onRefused
  })
  return useSending(
    (input: Input<typeof createCustomer>) =>
      createRegistration(clerk, input, (refusal) => latestOnRefused.current(refusal)),
    (member) => {
      queries.setQueryData(memberQuery({ code: member.memberCode }).queryKey, member)
      onMade(member)
    },
  )
}
