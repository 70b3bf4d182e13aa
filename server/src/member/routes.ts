import {
  getOneCustomer,
  listConsents,
  resignTnc,
  revealContact,
  updateCustomer,
} from '@tillside/contract/member'
import { serve } from '../http/serve.ts'
import { agreeAgain, readAgreements } from './consents.ts'
import { reveal } from './reveal.ts'
import { findByQuery, lookUp, findNamedMember } from './look-up.ts'
import { update } from './update.ts'

export const memberRoutes = [
  serve(getOneCustomer, lookUp, { readOnly: true, readAhead: findByQuery, standby: true }),
  serve(updateCustomer, update),
  serve(resignTnc, agreeAgain),
  serve(listConsents, readAgreements, { readOnly: true, readAhead: findNamedMember }),
  serve(revealContact, reveal),
]
