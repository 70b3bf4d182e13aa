import { getOneCustomer, revealContact } from '@tillside/contract/member'
import { serve } from '../http/serve.ts'
import { findAndCount, lookUpWithin, revealWithin } from './look-up.ts'

export const allowanceRoutes = [
  serve(getOneCustomer, lookUpWithin, { readOnly: true, readAhead: findAndCount, standby: true }),
  serve(revealContact, revealWithin),
]
