import type { FieldReason } from '@tillside/contract/failures'
import type { Language } from '@tillside/contract/language'
import type { Member } from '@tillside/contract/member'
import type { Settings } from '../company/definition.ts'
import { statement, type Transaction } from '../kit/database.ts'
import { invalidField } from '../kit/invalid.ts'
import { memberColumns, memberJoins, memberOf, MemberRow } from './member.ts'

const readMember = statement(
  `select ${memberColumns} from member m ${memberJoins}
   where m.company_id = $1 and m.member_id = $2`,
  MemberRow,
)

/** A member as a change of this very transaction has left them. */
export async function tellMember(
  context: { tx: Transaction; company: { id: string }; language: Language },
  memberId: string,
  settings: Settings,
): Promise<Member> {
  const row = await context.tx.one(readMember, [context.company.id, memberId])
  return memberOf(row, settings, context.language)
}

/** What is wrong with a form, each at its field. */
export function invalidForm(
  problems: readonly { path: string; reason: FieldReason }[],
  language: Language,
) {
  return {
    fields: problems.flatMap(({ path, reason }) => invalidField(path, reason, language).fields),
  }
}
