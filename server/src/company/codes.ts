import type { Data, Input } from '@tillside/contract/wire/endpoint'
import type { getByCodes } from '@tillside/contract/company'
import type { Context } from '../database/context.ts'
import type { Settings } from './definition.ts'
import { settingsOf } from './settings.ts'

type Json = Data<typeof getByCodes>[string]

/** The rules that a screen may explain. Other settings are not needed at the counter. */
const rules = new Map<string, (settings: Settings) => Json>([
  ['points.perUnit', ({ points }) => points.perUnit],
  ['points.pendingDays', ({ points }) => points.pendingDays],
  ['points.expiry', ({ points }) => points.expiry],
  ['points.refund', ({ points }) => points.refund],
  ['points.exchange', ({ points }) => points.exchange],
  ['tier.window', ({ tierRules }) => tierRules.window],
  ['tier.validityMonths', ({ tierRules }) => tierRules.validityMonths],
  ['tier.atEnd', ({ tierRules }) => tierRules.atEnd],
  ['undoMinutes', ({ undoMinutes }) => undoMinutes],
  ['idleLockMinutes', ({ idleLockMinutes }) => idleLockMinutes],
  ['birthdayMinAge', ({ birthdayMinAge }) => birthdayMinAge],
  ['terms.version', ({ terms }) => terms.version],
])

/** Reads the rules with these codes; an unknown code is null. */
export async function readByCodes(
  { tx, company }: Context<typeof getByCodes>,
  { codes }: Input<typeof getByCodes>,
): Promise<Data<typeof getByCodes>> {
  const settings = await settingsOf(tx, company)
  return Object.fromEntries(codes.map((code) => [code, rules.get(code)?.(settings) ?? null]))
}
