import { useQueryClient } from '@tanstack/react-query'
import type { Input } from '@tillside/contract/endpoint'
import type { createCustomer, Member } from '@tillside/contract/member'
import { useEffect, useRef, useState } from 'react'
import { isBusy } from '../kit/action.ts'
import type { Refusal } from '../kit/failure.ts'
import { useSession } from '../kit/session.ts'
import { useAction } from '../kit/useAction.ts'
import { memberQuery } from '../member/member.ts'
import { createRegistration } from './registration.ts'

type Attempt = { number: number; input: Input<typeof createCustomer> }

/** Sends the form once for each time that it is asked to, and tells what became of it. */
export function useRegistration(
  onMade: (member: Member) => void,
  onRefused: (refusal: Refusal) => void,
) {
  const clerk = useSession()
  const queries = useQueryClient()
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  const told = useRef({ onMade, onRefused })
  useEffect(() => {
    told.current = { onMade, onRefused }
  })
  const { state, action } = useAction(
    clerk && attempt
      ? () => createRegistration(clerk, attempt.input, (refusal) => told.current.onRefused(refusal))
      : null,
    String(attempt?.number ?? 0),
  )
  // An attempt is made to be sent; sending it again is another press.
  useEffect(() => {
    if (action?.state().step === 'confirm') void action.send()
  }, [action])
  useEffect(() => {
    if (state.step !== 'done') return
    const { data: member } = state
    queries.setQueryData(memberQuery({ code: member.memberCode }).queryKey, member)
    told.current.onMade(member)
  }, [queries, state])
  return {
    state,
    action,
    busy: isBusy(state),
    /** Nobody knows what became of it: until then nothing may be changed. */
    open: state.step === 'unknown' || state.step === 'checked',
    register: (input: Attempt['input']) =>
      setAttempt((last) => ({ number: (last?.number ?? 0) + 1, input })),
    /** Back to the form; the server knows nothing of what was sent. */
    edit() {
      action?.drop()
      setAttempt(null)
    },
  }
}
