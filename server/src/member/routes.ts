import {
  createCustomer,
  getOneCustomer,
  listConsents,
  resignTnc,
  revealContact,
  updateCustomer,
} from '@tillside/contract/member'
import { serve, serveAhead } from '../http/serve.ts'
import { serveStale } from '../http/serve-stale.ts'
import { agreeAgain, readAgreements } from './consents.ts'
import { reveal } from './reveal.ts'
import { findByQuery, lookUp, memberAhead } from './look-up.ts'
import { register } from './register.ts'
import { update } from './update.ts'

export const memberRoutes = [
  serveStale(getOneCustomer, findByQuery, lookUp),
  serve(createCustomer, register),
  serve(updateCustomer, update),
  serve(resignTnc, agreeAgain),
  serveAhead(listConsents, memberAhead, readAgreements),
  serve(revealContact, reveal),
]
