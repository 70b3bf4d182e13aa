import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { getCustomRegisterConfig } from '@tillside/contract/company'
import type { Input } from '@tillside/contract/wire/endpoint'
import type { Language } from '@tillside/contract/wire/language'
import { listConsents, type Member, resignTnc } from '@tillside/contract/member'
import { operationStatus } from '@tillside/contract/wire/operation'
import { createAction, newKey } from '../kit/action/action.ts'
import { call } from '../kit/call/call.ts'
import { session, useSession } from '../kit/call/session.ts'
import { tabStorage } from '../kit/store/storage.ts'
import { useSending } from '../kit/action/useSending.ts'
import { memberQuery } from '../member/member.ts'

/** The company's registration form and current terms, in one language. */
export const registerConfigQuery = (language: Language) =>
  queryOptions({
    queryKey: ['register-config', language],
    queryFn: ({ signal }) => call(getCustomRegisterConfig, {}, { signal, quiet: true }),
    staleTime: 60_000,
  })

/** A member's consents, newest first. */
export const consentsQuery = (memberCode: string) =>
  queryOptions({
    queryKey: ['member', memberCode, 'consents'],
    queryFn: ({ signal }) => call(listConsents, { memberCode }, { signal, quiet: true }),
  })

/** Records that the customer agrees to the current terms. */
export function useResign(memberCode: string, onDone: (member: Member) => void) {
  const clerk = useSession()
  const queries = useQueryClient()
  return useSending(
    (input: Input<typeof resignTnc>) =>
      createAction({
        endpoint: resignTnc,
        input,
        keyName: `${session.keyOf('resign')}:${clerk?.staff.account ?? ''}:${newKey()}`,
        send: (asked, key) => call(resignTnc, asked, { key, quiet: true }),
        check: (key) => call(operationStatus, { key }, { quiet: true }),
        store: tabStorage,
      }),
    (member) => {
      queries.setQueryData(memberQuery({ code: memberCode }).queryKey, member)
      void queries.invalidateQueries({ queryKey: consentsQuery(memberCode).queryKey })
      onDone(member)
    },
  )
}
