import { useQueryClient } from '@tanstack/react-query'
import type { Input } from '@tillside/contract/wire/endpoint'
import { failures } from '@tillside/contract/wire/failures'
import { type Member, updateCustomer } from '@tillside/contract/member'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { Field } from '../form/values.ts'
import { type Refusal, refusalData } from '../kit/call/failure.ts'
import { useSession } from '../kit/call/session.ts'
import { useSending } from '../kit/action/useSending.ts'
import { memberQuery } from '../member/member.ts'
import { loadPhones } from '../member/phones.ts'
import { createSaveAction } from './saveAction.ts'
import { useRestoredDraft, useProfileForm } from './useProfileForm.ts'

/** The result of the last press of Save, in addition to the state of the request. */
export type Outcome = 'none' | 'saved' | 'noChange' | 'wrong' | 'changed'

const savedNoticeMs = 3000

/** A profile that is being edited, and the state of saving it. */
export function useProfile(member: Member, all: readonly Field[]) {
  const profile = useProfileForm(member, all)
  useRestoredDraft(profile.memberForm, member.memberCode)
  const [outcome, setOutcome] = useOutcome()
  const clerk = useSession()
  const queries = useQueryClient()
  const latestOnRefused = useRef(onRefused)
  useEffect(() => {
    latestOnRefused.current = onRefused
  })
  const saving = useSending(
    (input: Input<typeof updateCustomer>) =>
      createSaveAction(clerk, input, (refusal) => void latestOnRefused.current(refusal)),
    (now) => {
      queries.setQueryData(memberQuery({ code: now.memberCode }).queryKey, now)
      profile.begin(now)
      setOutcome('saved')
    },
  )

  async function onRefused(refusal: Refusal): Promise<void> {
    const { memberForm, fields } = profile
    const { fields: wrong } = refusalData(refusal, failures.invalid) ?? { fields: [] }
    const atFields = memberForm.refuse(wrong.map(({ path, message }) => ({ name: path, message })))
    const taken = refusalData(refusal, failures.contactTaken)?.field
    const contact = fields.find(({ name }) => name === taken)
    if (contact)
      memberForm.setError(contact, { type: taken === 'email' ? 'existsEmail' : 'exists' })
    if (refusal.refusal === 'memberChanged' && (await profile.look())) setOutcome('changed')
    else setOutcome(atFields.length > 0 || contact ? 'wrong' : 'none')
  }

  /** @returns the names of the invalid fields */
  async function save(): Promise<string[]> {
    if (saving.busy || saving.open) return []
    await loadPhones().catch(() => null)
    const wrong = profile.memberForm.check()
    const changes = profile.changes()
    const { memberCode, version } = profile.base
    if (wrong.length > 0) setOutcome('wrong')
    else if (Object.keys(changes).length === 0) setOutcome('noChange')
    else {
      const input = z.safeParse(updateCustomer.input, { memberCode, version, changes })
      if (input.success) saving.send(input.data)
      setOutcome('none')
    }
    return wrong
  }

  return {
    ...profile,
    outcome,
    saving,
    save,
    /** Returns the unsaved input, or null if there is none. */
    unsaved: () =>
      Object.keys(profile.changes()).length === 0 ? null : profile.memberForm.form.getValues(),
    discard: () => {
      profile.begin(profile.base)
      setOutcome('none')
    },
  }
}

export type Profile = ReturnType<typeof useProfile>

/** The result next to the button; "Saved" disappears after three seconds. */
function useOutcome() {
  const [outcome, setOutcome] = useState<Outcome>('none')
  useEffect(() => {
    if (outcome !== 'saved') return undefined
    const timer = setTimeout(() => setOutcome('none'), savedNoticeMs)
    return () => clearTimeout(timer)
  }, [outcome])
  return [outcome, setOutcome] as const
}
