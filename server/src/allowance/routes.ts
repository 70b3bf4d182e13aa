import { getOneCustomer, revealContact, searchByName } from '@tillside/contract/member'
import { serve } from '../http/serve.ts'
import { findAndCount, lookUpWithin, revealWithin, searchWithin } from './look-up.ts'

export const allowanceRoutes = [
  serve(getOneCustomer, lookUpWithin, { readOnly: true, readAhead: findAndCount, standby: true }),
  serve(searchByName, searchWithin, { readOnly: true }),
  serve(revealContact, revealWithin),
]
