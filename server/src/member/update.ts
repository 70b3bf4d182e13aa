import type { updateCustomer } from '@tillside/contract/member'
import type { Input, Data } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { editableFields } from '../company/register.ts'
import { settingsOf } from '../company/settings.ts'
import { maskedEmail, maskedMobile } from '@tillside/contract/rules/person'
import { emailKey, mobileKey } from '../values/contact.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { lockOf } from '../database/lock.ts'
import { invalidField, wrongFields } from '../text/invalid.ts'
import { Outdated } from '../values/outdated.ts'
import { enqueueEvent } from './events.ts'
import { checkForm, type Problem, type Profile } from './form.ts'
import { findMemberId } from './look-up.ts'
import { dropNameKeys, writeNameKeys } from './names/keys.ts'
import { joinTier, memberColumns, MemberRow, readMember } from './member.ts'

const lockMember = lockOf(
  'member',
  ['company_id', 'member_id'],
  `select ${memberColumns} from member m ${joinTier('$2')}
   where m.company_id = $1 and m.member_id = $2 for update of m`,
  MemberRow,
)
const writeProfile = statement(
  `update member set first_name = $3, last_name = $4, gender = $5, birthday = $6,
     country_code = $7, mobile = $8, email = $9, address = $10, custom_fields = $11,
     version = version + 1, changed_at = now()
   where company_id = $1 and member_id = $2`,
  z.unknown(),
)
// A key that came with a merged member stays, and the member may take its contact.
const dropKey = statement(
  `delete from member_key where company_id = $1 and member_id = $2 and kind = $3 and value = $4
     and first_owner is null`,
  z.unknown(),
)
const addKey = statement(
  `insert into member_key as k (company_id, member_id, kind, value) values ($1, $2, $3, $4)
   on conflict (company_id, kind, value) do update set value = excluded.value
   where k.member_id = excluded.member_id`,
  z.unknown(),
)

type Update = Context<typeof updateCustomer>
type Changes = Input<typeof updateCustomer>['changes']
/** The part of a member that a clerk may change. */
type EditableProfile = Required<Profile>

/**
 * Changes a profile, in the fields that the company allows.
 * @param memberId of the member, before the lock
 */
export async function update(
  context: Context<typeof updateCustomer>,
  input: Input<typeof updateCustomer>,
  memberId: string | null,
): Promise<Data<typeof updateCustomer>> {
  const { tx, company, today, language } = context
  if (memberId === null) return context.fail('memberUnknown')
  const [settings, row, owner] = await Promise.all([
    settingsOf(tx, company),
    tx.maybe(lockMember, [company.id, memberId]),
    findMemberId(tx, company.id, input.memberCode),
  ])
  if (row === null || owner !== memberId) throw new Outdated('the code has another member now')
  const typed = withoutMasks(input.changes, row)
  const { profile, problems } = await checkForm(typed, { settings, today, whole: false })
  problems.push(...fixedFields(typed, settings, problems))
  if (problems.length > 0) {
    const within = problems.map(({ path, reason }) => ({ path: `changes.${path}`, reason }))
    return context.fail('invalid', wrongFields(within, language))
  }
  if (row.version !== input.version) return context.fail('memberChanged')
  const before = editableProfileOf(row)
  const customFields = { ...before.customFields, ...profile.customFields }
  const after: EditableProfile = { ...before, ...profile, customFields }
  const changed = changedNames(before, after)
  // A form may require only one of the names, but a member must keep at least one.
  if (isNameless(after) && !isNameless(before)) {
    return context.fail('invalid', invalidField('changes.firstName', 'required', language))
  }
  if (changed.length > 0) {
    await Promise.all([
      moveKey(context, row.member_id, 'mobile', mobileKeyOf(before), mobileKeyOf(after)),
      moveKey(context, row.member_id, 'email', emailKeyOf(before), emailKeyOf(after)),
    ])
    await tx.run(writeProfile, [
      company.id,
      row.member_id,
      after.firstName,
      after.lastName,
      after.gender,
      after.birthday,
      after.countryCode,
      after.mobile,
      after.email,
      after.address,
      after.customFields,
    ])
    enqueueEvent(tx, company.id, 'member.changed', row.member_id, { fields: changed })
    if (changed.some((name) => name === 'firstName' || name === 'lastName')) {
      const { firstName, lastName } = after
      await dropNameKeys(tx, company.id, row.member_id)
      await writeNameKeys(tx, company.id, [{ memberId: row.member_id, firstName, lastName }])
    }
  }
  context.changed({
    action: 'member.update',
    memberId: row.member_id,
    details: { fields: changed.join(' ') },
  })
  return readMember(context, row.member_id)
}

/** A masked contact that was sent back unchanged is not a change. */
function withoutMasks(changes: Changes, row: MemberRow): Changes {
  const typed = { ...changes }
  if (row.mobile !== null && typed.mobile === maskedMobile(row.mobile)) {
    delete typed.mobile
    if (typed.countryCode === row.country_code) delete typed.countryCode
  }
  if (row.email !== null && typed.email === maskedEmail(row.email)) delete typed.email
  return typed
}

/** Known fields that must not be changed at the counter. */
function fixedFields(typed: Changes, settings: Settings, known: readonly Problem[]): Problem[] {
  const editable = new Set(editableFields(settings))
  if (editable.has('mobile')) editable.add('countryCode')
  return Object.keys(typed)
    .filter((name) => !editable.has(name) && known.every(({ path }) => path !== name))
    .map((path) => ({ path, reason: 'notAllowed' }))
}

function editableProfileOf(row: MemberRow): EditableProfile {
  return {
    firstName: row.first_name,
    lastName: row.last_name,
    gender: row.gender,
    birthday: row.birthday,
    countryCode: row.country_code,
    mobile: row.mobile,
    email: row.email,
    address: row.address,
    customFields: row.custom_fields,
  }
}

/** The names of the changed fields for the audit log, which never contains their values. */
function changedNames(before: EditableProfile, after: EditableProfile): string[] {
  const { customFields: ownBefore, ...knownBefore } = before
  const { customFields: ownAfter, ...knownAfter } = after
  return [...namesOfChanges(knownBefore, knownAfter), ...namesOfChanges(ownBefore, ownAfter)]
}

function namesOfChanges(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return Object.keys(after).filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )
}

function isNameless({ firstName, lastName }: EditableProfile): boolean {
  return firstName === '' && lastName === ''
}

function mobileKeyOf({ countryCode, mobile }: EditableProfile): string | null {
  return countryCode === null || mobile === null ? null : mobileKey(countryCode, mobile)
}

function emailKeyOf({ email }: EditableProfile): string | null {
  return email === null ? null : emailKey(email)
}

async function moveKey(
  context: Update,
  memberId: string,
  kind: 'mobile' | 'email',
  before: string | null,
  after: string | null,
): Promise<void> {
  const { tx, company } = context
  if (before === after) return
  const ids = [company.id, memberId, kind]
  const [, added] = await Promise.all([
    before === null ? null : tx.run(dropKey, [...ids, before]),
    after === null ? null : tx.run(addKey, [...ids, after]),
  ])
  if (added === 0) context.fail('contactTaken', { field: kind })
}
