import type { Command } from 'commander'
import { companyNamed, inCompany } from '../company/find.ts'
import { actCommand, columns, print, withDatabase } from '../database/command.ts'
import type { ActOptions } from '../process/author.ts'
import { confirmOnTerminal } from '../process/terminal.ts'
import { mergeAndFollow, type OpenTransaction, previewMerge } from './merge.ts'
import type { Previewed } from './sides.ts'
import { daysToPart } from './refused.ts'
import { unmergeMember } from './unmerge.ts'

type Options = ActOptions & { preview?: boolean; confirm?: boolean }

/** `tillside member merge` and `tillside member unmerge` */
export function registerMerges(member: Command): void {
  actCommand(
    member,
    'merge <company> <survivor> <merged>',
    'Move all points, coupons, receipts and keys of one member to another member',
    true,
  )
    .option('--preview', 'only show what the merge would result in')
    .option('--confirm', 'do not ask')
    .action(runMerge)
  actCommand(
    member,
    'unmerge <company> <merged>',
    `Undo a merge within ${daysToPart} days; both members get back what they had`,
    true,
  ).action(runUnmerge)
}

async function runMerge(
  identifier: string,
  survivorCode: string,
  mergedCode: string,
  options: Options,
): Promise<void> {
  const previewed = await inCompany(
    identifier,
    (tx, id) => previewMerge(tx, id, survivorCode, mergedCode),
    options.preview === true ? options : undefined,
  )
  if (options.preview === true) return print(options.json, previewed, describe(previewed))
  process.stderr.write(`${describe(previewed).join('\n')}\n`)
  if (options.confirm !== true && !(await confirmOnTerminal('Merge them?'))) {
    throw new Error('Nothing was merged. Add --confirm to merge without a question.')
  }
  const merged = await withDatabase(
    async ({ database }) => {
      const id = await companyNamed(database, identifier)
      return mergeAndFollow(database, id, survivorCode, mergedCode)
    },
    { act: options, asOwner: true },
  )
  const { survivor, plan } = merged
  print(options.json, merged, [
    `${merged.merged.memberCode} is merged into ${survivor.memberCode}, ` +
      `who has ${plan.balance} points and the tier ${plan.tier.code}`,
  ])
  const { stillOpen } = merged
  if (stillOpen.length === 0) return
  process.stderr.write(`${warningOf(stillOpen, mergedCode).join('\n')}\n`)
}

/** The lines about transactions that may not have seen the merge. */
export function warningOf(open: readonly OpenTransaction[], mergedCode: string): string[] {
  return [
    'Warning: the merge is done, but transactions that began before its end still run:',
    ...open.map(({ pid, name, since }) => {
      const program = name === '' ? '' : ` (${name})`
      return `  process ${pid}${program}, ${since === null ? 'start unknown' : `since ${since}`}`
    }),
    `A till or a clerk among them may still write to ${mergedCode}. Run tillside doctor when they`,
    'have ended. If it reports I12, undo the merge and merge again.',
  ]
}

async function runUnmerge(identifier: string, code: string, options: ActOptions): Promise<void> {
  const parted = await withDatabase(
    async ({ database }) => {
      const id = await companyNamed(database, identifier)
      return database.transaction(id, (tx) => unmergeMember(tx, id, code))
    },
    { act: options, asOwner: true },
  )
  print(options.json, parted, [`${parted.merged} and ${parted.survivor} are two members again`])
}

function describe({ survivor, merged, plan }: Previewed): string[] {
  const both = (pick: (side: typeof survivor) => number) => [pick(survivor), pick(merged)]
  const counted = (['receipts', 'coupons', 'consents', 'keys'] as const).map((name) => {
    const [own = 0, other = 0] = both((side) => side[name])
    return [name, String(own), String(other), String(own + other)]
  })
  return columns([
    ['', survivor.memberCode, merged.memberCode, 'merged'],
    ['points', String(survivor.balance), String(merged.balance), String(plan.balance)],
    ['tier', survivor.tier.code, merged.tier.code, plan.tier.code],
    ['tier ends', survivor.tier.expiryDate, merged.tier.expiryDate, plan.tier.expiryDate].map(
      (cell) => cell ?? 'never',
    ),
    ...counted,
  ])
}
