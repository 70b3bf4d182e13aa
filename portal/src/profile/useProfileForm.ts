import { useQueryClient } from '@tanstack/react-query'
import type { Member } from '@tillside/contract/member'
import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { type MemberForm, useMemberForm, useRules } from '../form/useMemberForm.ts'
import { type Field, FormValues, isEditable, valuesOf, withField } from '../form/values.ts'
import { takeDraft } from '../kit/store/draft.ts'
import { maskedEmail } from '@tillside/contract/rules/person'
import { memberQuery } from '../member/member.ts'
import { useCallingCode } from '../member/phones.ts'
import { changesOf, type Conflict, mergeValues } from './merge.ts'

/** A contact stays masked until the clerk starts to edit it. */
function isTypeable(field: Field, opened: ReadonlySet<string>): boolean {
  const isContact = field.name === 'mobile' || field.name === 'email'
  return isEditable(field) && (!isContact || opened.has(field.name))
}

const nothingOpened: ReadonlySet<string> = new Set()

/** The form of a member's profile, and the member's data that it is compared with. */
export function useProfileForm(member: Member, all: readonly Field[]) {
  const queries = useQueryClient()
  const { callingCode } = useCallingCode()
  const rules = useRules()
  const [base, setBase] = useState(member)
  const [opened, setOpened] = useState(nothingOpened)
  const [conflicts, setConflicts] = useState<Conflict[]>([])
  const fields = all.filter((field) => isTypeable(field, opened))
  const memberForm = useMemberForm(fields, valuesOf(fields, member, callingCode), rules)
  const known = valuesOf(fields, base, callingCode)

  /** Shows this member with the given input. */
  function show(now: Member, shown: readonly Field[], typed: FormValues): void {
    setBase(now)
    memberForm.form.reset(valuesOf(shown, now, callingCode))
    memberForm.form.reset(typed, { keepDefaultValues: true })
  }

  return {
    memberForm,
    /** The fields that can be edited now. */
    fields,
    base,
    conflicts,
    /** The values of the member as last loaded. */
    theirs: known,

    /** Resets the form to this member. */
    begin(now: Member): void {
      setBase(now)
      setOpened(nothingOpened)
      setConflicts([])
      memberForm.form.clearErrors()
      memberForm.form.reset(valuesOf(fields, now, callingCode))
    },

    /** Starts to edit a contact with its unmasked value. */
    open(field: Field, value: string | null): void {
      const now = { ...base, [field.name]: value }
      const typed = memberForm.form.getValues()
      const begun = valuesOf([...fields, field], now, callingCode)
      setOpened(new Set([...opened, field.name]))
      const values = fields.reduce((sum, one) => withField(sum, one, typed), begun)
      show(now, [...fields, field], values)
    },

    /** Loads the member again and merges the input into it. @returns false if loading failed */
    async look(): Promise<boolean> {
      const query = memberQuery({ code: member.memberCode })
      const fresh = await queries.fetchQuery({ ...query, staleTime: 0 }).catch(() => null)
      if (fresh === null) return false
      const now = keepRevealedContacts(fresh, base)
      const both = { before: base, now, typed: memberForm.form.getValues() }
      const { values, conflicts: found } = mergeValues(fields, both, callingCode, rules.readMobile)
      setConflicts(found)
      show(now, fields, values)
      return true
    },

    takeTheirs: (field: Field): void => {
      const values = withField(memberForm.form.getValues(), field, known)
      memberForm.form.reset(values, { keepDefaultValues: true })
      const settled = { field, both: false }
      setConflicts(conflicts.map((one) => (one.field.name === field.name ? settled : one)))
    },

    /** The unsaved changes, by their wire names. */
    changes: () => changesOf(fields, known, memberForm.form.getValues(), rules.readMobile),
  }
}

/** The name under which the input of a profile survives a lost session. */
export function draftOf(memberCode: string): string {
  return `profile:${memberCode}`
}

/** Restores the input that this clerk had when the session was lost. */
export function useRestoredDraft({ form }: MemberForm, memberCode: string): void {
  const [draft] = useState(() => z.safeParse(FormValues, takeDraft(draftOf(memberCode))))
  const kept = useRef(draft)
  useEffect(() => {
    const { success, data } = kept.current
    if (success) form.reset(data, { keepDefaultValues: true })
  }, [form])
}

/** Keeps the unmasked contacts that were already loaded, if they are unchanged. */
function keepRevealedContacts(now: Member, before: Member): Member {
  const { countryCode, mobile, email } = now
  const sameCountry = countryCode === before.countryCode
  const shown = mobile?.replaceAll('•', '')
  const sameMobile = sameCountry && shown !== mobile && before.mobile?.endsWith(shown ?? '')
  const sameEmail = email?.includes('•') && email === maskedEmail(before.email ?? '')
  return {
    ...now,
    mobile: sameMobile ? before.mobile : mobile,
    email: sameEmail ? before.email : email,
  }
}
