import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { companyNamed, inCompany } from '../company/find.ts'
import { importCoupons } from '../coupon/import.ts'
import { stopIssuing } from '../coupon/issue.ts'
import { voidCoupon } from '../coupon/undo.ts'
import { writeAudit } from '../database/audit.ts'
import { actCommand, print, withDatabase } from '../database/command.ts'
import type { Transaction } from '../database/database.ts'
import type { ActOptions } from '../process/author.ts'
import { progressBar, rejectedRows } from '../values/import-report.ts'
import { counted } from '../text/counted.ts'

/**
 * Stops issuing a coupon, or resumes it. Issued coupons stay valid. Applying the company's folder
 * does not change it.
 * @throws Error when there is no such definition
 */
async function setStopped(
  tx: Transaction,
  companyId: string,
  couponId: string,
  stopped: boolean,
): Promise<void> {
  if (!(await stopIssuing(tx, companyId, couponId, stopped)))
    throw new Error(`there is no coupon definition "${couponId}"`)
  note(tx, companyId, stopped ? 'coupon.stop' : 'coupon.resume', null, { couponId })
}

function note(
  tx: Transaction,
  companyId: string,
  action: string,
  memberId: string | null,
  details: Record<string, string>,
): void {
  const actor = { company: { id: companyId }, staff: null, store: null }
  writeAudit(tx, actor, 'command', { action, memberId, details })
}

/** `tillside coupon …` */
export function registerCoupons(program: Command): void {
  const coupon = program.command('coupon').description('Stop, void and import coupons')
  for (const stopped of [true, false]) {
    const verb = stopped ? 'stop' : 'resume'
    const does = stopped
      ? 'Stop issuing a coupon; issued ones stay valid'
      : 'Issue a stopped coupon again'
    actCommand(coupon, `${verb} <company> <couponId>`, does).action(
      async (company: string, couponId: string, options: ActOptions) => {
        await inCompany(company, (tx, id) => setStopped(tx, id, couponId, stopped), options)
        const says = stopped ? 'is stopped' : 'is issued again'
        print(options.json, { company, couponId, stopped }, [`${couponId} of ${company} ${says}`])
      },
    )
  }
  const does = 'Void one coupon; it is shown as expired'
  actCommand(coupon, 'void <company> <code>', does, true).action(
    async (company: string, typed: string, options: ActOptions & { reason: string }) => {
      const reason = options.reason.trim()
      const work = async (tx: Transaction, id: string) => {
        const voided = await voidCoupon(tx, id, typed, reason)
        note(tx, id, 'coupon.void', voided.memberId, { couponCode: voided.code, reason })
        return voided.code
      }
      const code = await inCompany(company, work, options)
      print(options.json, { company, code, reason }, [`${code} of ${company} is void`])
    },
  )
  actCommand(
    coupon,
    'import <company> <couponId> <csv>',
    'Import codes that members already hold: code,memberCode[,startDate,expiryDate]',
    true,
  )
    .option(
      '--rejected <file>',
      'file for rejected rows (default: <csv>.rejected.csv in this folder)',
    )
    .action(runImport)
}

type ImportOptions = ActOptions & { rejected?: string }

async function runImport(
  identifier: string,
  couponId: string,
  csv: string,
  options: ImportOptions,
): Promise<void> {
  const rejectedFile = resolve(options.rejected ?? `${basename(csv)}.rejected.csv`)
  const rejects = rejectedRows(rejectedFile, ['line', 'code', 'reason'])
  const bar = progressBar()
  try {
    const counts = await withDatabase(
      async ({ database }) => {
        const id = await companyNamed(database, identifier)
        return importCoupons(database, { id }, couponId, resolve(csv), {
          reject: (row) => rejects.write([row.line, row.code, row.reason]),
          progress: (done) => bar.show('recording', done),
        })
      },
      { act: options },
    )
    bar.stop()
    const { read, created, unchanged, rejected } = counts
    print(options.json, { ...counts, rejectedFile: rejected === 0 ? null : rejectedFile }, [
      `${counted(read, 'row')}: ${created} created, ${unchanged} unchanged, ${rejected} rejected`,
    ])
    if (rejected > 0) {
      throw new Error(
        `${counted(rejected, 'row was', 'rows were')} not imported; see ${rejectedFile}`,
      )
    }
  } finally {
    bar.stop()
    await rejects.close()
  }
}
