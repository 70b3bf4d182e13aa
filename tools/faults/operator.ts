import type { Fault } from './fault.ts'

/** Mistakes with commands that an operator runs, and with what other systems receive. */
export const operatorFaults: Fault[] = [
  {
    name: 'stale-folder',
    kind: 'missing check of the revision',
    file: 'server/src/setup/apply.ts',
    find: 'if (base !== null) await refuseStale(',
    replace: 'if (base === -1) await refuseStale(',
    tests: ['server/src/setup/revision/revision.test.ts'],
  },
  {
    name: 'loss-without-confirm',
    kind: 'missing question',
    file: 'server/src/setup/apply.ts',
    find: 'if (!confirmed) refuseLoss(',
    replace: 'if (dryRun) refuseLoss(',
    tests: ['server/src/setup/revision/revision.test.ts'],
  },
  {
    name: 'nameless-act',
    kind: 'audit row without an author',
    file: 'server/src/database/database.ts',
    find: 'opening(company, own, asColumns(authorSettings(author)))',
    replace: 'opening(company, own, asColumns(authorSettings(null)))',
    tests: ['server/src/process/author.test.ts'],
  },
  {
    name: 'reasons-of-the-erased',
    kind: 'personal data that stays',
    file: 'server/src/dossier/erase.ts',
    find: 'forgetAuditReasons(tx, company.id, memberId),',
    replace: '',
    tests: ['server/src/dossier/erase.test.ts'],
  },
  {
    name: 'session-after-move',
    kind: 'session that should end',
    file: 'server/src/staff/roster/move.ts',
    find: 'await endAccess(tx, companyId, staff.staff_id)',
    replace: '',
    tests: ['server/src/staff/roster/roster.test.ts'],
  },
  {
    name: 'one-queue-for-all',
    kind: 'receiver that delays another',
    file: 'server/src/jobs/runner.ts',
    find: 'begin(`${company.id} webhook ${receiver.id}`, deliver)',
    replace: 'await deliver()',
    tests: ['server/src/outbox/receivers.test.ts'],
  },
]
