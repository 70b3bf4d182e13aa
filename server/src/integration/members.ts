import { hash as digest } from 'node:crypto'
import { type NewMemberItem, postMembers } from '@tillside/contract/integration/members'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Settings } from '../company/definition.ts'
import { settingsOf } from '../company/settings.ts'
import { writeAudit } from '../database/audit.ts'
import { statement, type Transaction } from '../database/database.ts'
import { maxFields } from '../text/invalid.ts'
import type { KeyContext } from '../http/keys/serve-key.ts'
import { Address, invalidPart } from '../member/address.ts'
import { KeysTaken, NewMember, storeOrigins, takenKeyKinds } from '../member/create.ts'
import { createMember } from '../register/create.ts'
import { erasedAmong } from '../member/erase.ts'
import { checkValue, type FormField } from '../member/field.ts'
import { checkForm } from '../member/form.ts'
import type { KeyKind } from '../member/key.ts'
import { findMemberId } from '../member/look-up.ts'
import { answerItems, checkStore, ItemRefusal } from './batch.ts'

const readOrigin = statement(
  `select m.member_code, o.content_hash from member m
   left join member_origin o on o.company_id = $1 and o.member_id = $2
   where m.company_id = $1 and m.member_id = $2`,
  z.object({ member_code: z.string(), content_hash: z.nullable(z.instanceof(Buffer)) }),
)
/** The wire's field name of each member key. */
const fields: Record<KeyKind, string> = {
  code: 'memberCode',
  card: 'cardNumber',
  uni: 'uniCustomerNo',
  mobile: 'mobile',
  email: 'email',
}

/** Creates members. A repeat with the same member code and content creates no second member. */
export async function createFromItems(
  context: KeyContext<typeof postMembers>,
  { items }: Input<typeof postMembers>,
): Promise<Data<typeof postMembers>> {
  const { database, company } = context
  const settings = await database.reading(company.id, (tx) => settingsOf(tx, company))
  const own = new Map(settings.register.fields.map((field) => [field.name, field]))
  return answerItems(context, postMembers.item, items, async (item) => {
    await checkItem(context, item, own)
    const make = () => database.transaction(company.id, (tx) => create(tx, context, item, settings))
    return make().catch((error: unknown) => {
      // Another request stored one of its keys first, so that member can now be compared.
      if (error instanceof KeysTaken) return make()
      throw error
    })
  })
}

/** @throws ItemRefusal if the company has no such store, form field or dictionary value */
async function checkItem(
  context: KeyContext,
  item: NewMemberItem,
  own: ReadonlyMap<string, FormField>,
): Promise<void> {
  // Any API key may send a member without a registration store.
  if (item.registrationStore !== null) {
    checkStore(context, item.registrationStore, 'registrationStore')
  }
  const unknown = Object.keys(item.customFields).filter((name) => !own.has(name))
  if (unknown.length > 0) {
    const named = unknown.slice(0, maxFields).map((name) => `customFields.${name}`)
    throw new ItemRefusal('fieldUnknown', ...named)
  }
  const wrong = Object.entries(item.customFields).filter(([name, value]) => {
    const field = own.get(name)
    return field !== undefined && value !== null && 'reason' in checkValue(field, value)
  })
  if (wrong.length > 0) {
    throw new ItemRefusal('fieldInvalid', ...wrong.map(([name]) => `customFields.${name}`))
  }
  const place = await invalidPart(Address.parse(item.address))
  if (place !== null) throw new ItemRefusal('fieldInvalid', `address.${place.path}`)
}

/**
 * The member's own fields that are checked also where the form does not have them. A form shows
 * them only if the company wants its clerks to ask for them.
 */
const always = (
  [
    ['firstName', 'text'],
    ['birthday', 'date'],
    ['mobile', 'mobile'],
    ['email', 'email'],
  ] as const
).map(([name, type]) => ({
  name,
  labels: {},
  type,
  required: false,
  editable: true,
  options: [],
  maxLength: null,
  minSelections: null,
  pattern: null,
}))

/**
 * A member of a till obeys the register form like one of a clerk: required fields, the least age,
 * formats. The date of the registration may be in the past, because other systems send members
 * late.
 * @throws ItemRefusal
 */
async function checkRegistration(
  { today }: KeyContext,
  item: NewMemberItem,
  settings: Settings,
): Promise<void> {
  const form = settings.register.fields
  const known = new Set(form.map(({ name }) => name))
  const asked = [...form, ...always.filter(({ name }) => !known.has(name))]
  const names = new Set(asked.map(({ name }) => name).concat('countryCode'))
  const own = Object.entries(item).filter(([name, value]) => names.has(name) && value !== null)
  const { problems } = await checkForm(
    { ...Object.fromEntries(own), ...item.customFields },
    {
      settings: { ...settings, register: { ...settings.register, fields: asked } },
      today,
      whole: true,
    },
  )
  const wrong = problems.map(({ path, reason }) => ({
    // The item has all fields of a member but the company's own.
    path: Object.hasOwn(item, path.split('.', 1).join()) ? path : `customFields.${path}`,
    reason,
  }))
  const day = item.registrationDate ?? today
  if (day > today) wrong.push({ path: 'registrationDate', reason: 'future' })
  if (day < '1970') wrong.push({ path: 'registrationDate', reason: 'notAllowed' })
  if (wrong.length > 0) throw new ItemRefusal('fieldInvalid', ...wrong.slice(0, maxFields))
}

async function create(
  tx: Transaction,
  context: KeyContext,
  item: NewMemberItem,
  settings: Settings,
) {
  const { company, key, requestId, today } = context
  const hash = digest('sha256', JSON.stringify(item), 'buffer')
  const { consent, registrationDate, ...rest } = item
  const member = NewMember.parse({
    ...rest,
    registrationDate: registrationDate ?? today,
    consent: consent === null ? null : { ...consent, storeCode: item.registrationStore },
  })
  const [taken, known, erased] = await Promise.all([
    takenKeyKinds(tx, company, member),
    findMemberId(tx, company.id, item.memberCode),
    erasedAmong(tx, company, [item.memberCode]),
  ])
  if (known !== null) {
    const origin = await tx.one(readOrigin, [company.id, known])
    if (origin.content_hash?.equals(hash) === true) {
      return { outcome: 'unchanged', memberCode: origin.member_code } as const
    }
    throw new ItemRefusal('changed', 'memberCode')
  }
  if (erased.size > 0) throw new ItemRefusal('erased', 'memberCode')
  await checkRegistration(context, item, settings)
  if (taken.length > 0) throw new ItemRefusal('taken', ...taken.map((kind) => fields[kind]))
  const memberId = await createMember(tx, company, member)
  storeOrigins(tx, company, [{ memberId, hash }])
  const store = member.registrationStore === null ? null : { code: member.registrationStore }
  writeAudit(tx, { company, staff: null, store }, requestId, {
    action: 'member.create',
    memberId,
    details: { keyId: key.id },
  })
  return { outcome: 'created', memberCode: member.memberCode } as const
}
