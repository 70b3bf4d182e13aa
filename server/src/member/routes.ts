import { listConsents, resignTnc, updateCustomer } from '@tillside/contract/member'
import { serve } from '../http/serve.ts'
import { agreeAgain, readAgreements } from './consents.ts'
import { namedMember, ofNamedMember } from './look-up.ts'
import { update } from './update.ts'

// Look-up, search by name and reveal are served in allowance/, which counts them.
export const memberRoutes = [
  serve(updateCustomer, update, { readAhead: namedMember.find }),
  serve(resignTnc, agreeAgain),
  serve(listConsents, readAgreements, ofNamedMember),
]
