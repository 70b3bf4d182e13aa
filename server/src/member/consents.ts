import type { listConsents, resignTnc } from '@tillside/contract/member'
import { Language } from '@tillside/contract/wire/language'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { settingsOf } from '../company/settings.ts'
import { storeIn, storeNamesOf } from '../company/stores.ts'
import type { Context } from '../database/context.ts'
import { statement } from '../database/database.ts'
import { invalidField } from '../text/invalid.ts'
import { enqueueEvent } from './events.ts'
import { findMemberId, readIfKnown } from './look-up.ts'
import { toInstant, readMember } from './member.ts'

const insertConsents = statement(
  `insert into consent (company_id, member_id, kind, version, agreed, language, staff_id,
     store_code)
   values ($1, $2, 'terms', $3, true, $5, $6, $7), ($1, $2, 'marketing', $3, $4, $5, $6, $7)`,
  z.unknown(),
)
const keepNewest = statement(
  `update member set tnc_version = $3, tnc_accepted_at = now(), changed_at = now(),
     marketing_opt_in = $4
   where company_id = $1 and member_id = $2`,
  z.unknown(),
)
const readConsents = statement(
  `select c.kind, c.version, c.agreed, c.language, c.at, c.store_code
   from consent c
   where c.company_id = $1 and c.member_id = $2
   order by c.at desc, c.kind desc, c.consent_id desc`,
  z.object({
    kind: z.enum(['terms', 'marketing']),
    version: z.string(),
    agreed: z.boolean(),
    language: Language,
    at: z.string(),
    store_code: z.nullable(z.string()),
  }),
)

/**
 * Records that the customer accepts the current terms, and the new answer about marketing. The
 * profile's version does not change, so a clerk who is editing it loses nothing.
 */
export async function agreeAgain(
  context: Context<typeof resignTnc>,
  input: Input<typeof resignTnc>,
): Promise<Data<typeof resignTnc>> {
  const { tx, company, staff, store, language } = context
  const { memberCode, tncVersion, marketingOptIn, consentLanguage } = input
  const [settings, memberId] = await Promise.all([
    settingsOf(tx, company),
    findMemberId(tx, company.id, memberCode),
  ])
  if (memberId === null) return context.fail('memberUnknown')
  if (tncVersion !== settings.terms.version) {
    return context.fail('invalid', invalidField('tncVersion', 'outdated', language))
  }
  if (consentLanguage && !settings.languages.includes(consentLanguage)) {
    return context.fail('invalid', invalidField('consentLanguage', 'notAllowed', language))
  }
  const ids = [company.id, memberId]
  // The language in which the customer read the terms; the clerk's screen may have changed since.
  const read = consentLanguage ?? language
  await Promise.all([
    tx.run(insertConsents, [...ids, tncVersion, marketingOptIn, read, staff.id, store.code]),
    tx.run(keepNewest, [...ids, tncVersion, marketingOptIn]),
  ])
  context.changed({ action: 'member.resign', memberId, details: { version: tncVersion } })
  const agreed = { tncVersion, marketingOptIn, language: read }
  enqueueEvent(tx, company.id, 'consent.changed', memberId, agreed)
  return readMember(context, memberId)
}

/** Lists the member's consents, newest first. */
export async function readAgreements(
  context: Context<typeof listConsents>,
  _input: Input<typeof listConsents>,
  memberId: string | null,
): Promise<Data<typeof listConsents>> {
  const { tx, company } = context
  const [rows, stores] = await readIfKnown(context, memberId, (member) =>
    Promise.all([tx.all(readConsents, [company.id, member]), storeNamesOf(tx, company)]),
  )
  return {
    items: rows.map(({ kind, version, agreed, language, at, store_code: store }) => ({
      kind,
      version,
      agreed,
      language,
      at: toInstant(at),
      store: storeIn(stores, store),
    })),
  }
}
