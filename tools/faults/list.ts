import { accessFaults, strangerFaults } from './access.ts'
import { contractFaults } from './contract.ts'
import type { Fault } from './fault.ts'
import { functionFaults } from './functions.ts'
import { jobFaults } from './jobs.ts'
import { operatorFaults } from './operator.ts'
import { portalFaults } from './portal.ts'
import { screenFaults } from './screens.ts'
import { valueFaults } from './value.ts'

/** Every fault. Faults that need a browser are last, because they build the portal. */
export const faults: Fault[] = [
  ...contractFaults,
  ...portalFaults,
  ...valueFaults,
  ...functionFaults,
  ...accessFaults,
  ...strangerFaults,
  ...jobFaults,
  ...operatorFaults,
  ...screenFaults,
]
