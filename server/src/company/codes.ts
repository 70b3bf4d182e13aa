import type { Data, Input } from '@tillside/contract/wire/endpoint'
import type { getByCodes } from '@tillside/contract/company'
import { type FactName, maySee } from '@tillside/contract/wire/facts'
import type { Context } from '../database/context.ts'
import type { Settings } from './definition.ts'
import { refundPolicyOf } from './limits.ts'
import { settingsOf } from './settings.ts'

type Json = Data<typeof getByCodes>[string]
/** A rule, and the fact that it belongs to, if it belongs to one. */
type Rule = { fact?: FactName; read: (settings: Settings) => Json }

/** The rules that a screen may explain. Other settings are not needed at the counter. */
const rules = new Map<string, Rule>([
  ['points.perUnit', { fact: 'points', read: ({ points }) => points.perUnit }],
  ['points.pendingDays', { fact: 'points', read: ({ points }) => points.pendingDays }],
  ['points.expiry', { fact: 'points', read: ({ points }) => points.expiry }],
  ['points.refundPolicy', { fact: 'points', read: ({ points }) => refundPolicyOf(points) }],
  ['points.exchange', { fact: 'exchangeRule', read: ({ points }) => points.exchange }],
  ['tier.window', { fact: 'tier', read: ({ tierRules }) => tierRules.window }],
  ['tier.validityMonths', { fact: 'tier', read: ({ tierRules }) => tierRules.validityMonths }],
  ['tier.atEnd', { fact: 'tier', read: ({ tierRules }) => tierRules.atEnd }],
  ['undoMinutes', { read: ({ undoMinutes }) => undoMinutes }],
  ['idleLockMinutes', { read: ({ idleLockMinutes }) => idleLockMinutes }],
  ['birthdayMinAge', { read: ({ birthdayMinAge }) => birthdayMinAge }],
  ['terms.version', { read: ({ terms }) => terms.version }],
])

/** Reads the rules with these codes. Null: the code is unknown, or the caller may not see it. */
export async function readByCodes(
  { tx, company, permissions }: Context<typeof getByCodes>,
  { codes }: Input<typeof getByCodes>,
): Promise<Data<typeof getByCodes>> {
  const settings = await settingsOf(tx, company)
  return Object.fromEntries(
    codes.map((code) => {
      const rule = rules.get(code)
      const isHidden = rule?.fact !== undefined && !maySee(permissions, rule.fact)
      return [code, rule === undefined || isHidden ? null : rule.read(settings)]
    }),
  )
}
