import type { revealContact } from '@tillside/contract/member'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { findMemberId } from './look-up.ts'

const readContact = statement(
  'select mobile, email from member where company_id = $1 and member_id = $2',
  z.object({ mobile: z.nullable(z.string()), email: z.nullable(z.string()) }),
)

/** Returns a masked contact in full and writes an audit row. */
export async function reveal(
  context: Context<typeof revealContact>,
  { memberCode, field }: Input<typeof revealContact>,
): Promise<Data<typeof revealContact>> {
  const { tx, company } = context
  const memberId = await findMemberId(tx, company.id, memberCode)
  if (memberId === null) return context.fail('memberUnknown')
  const contact = await tx.one(readContact, [company.id, memberId])
  context.changed({ action: 'member.reveal', memberId, details: { field } })
  return { value: contact[field] }
}
