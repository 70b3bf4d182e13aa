import { getOneCustomer, revealContact, searchByName } from '@tillside/contract/member'
import { serve } from '../http/serve.ts'
import { findAndCount, foundRow, lookUpWithin, revealWithin, searchWithin } from './look-up.ts'

export const allowanceRoutes = [
  serve(getOneCustomer, lookUpWithin, {
    readOnly: true,
    readAhead: findAndCount,
    standby: foundRow,
  }),
  serve(searchByName, searchWithin, { readOnly: true }),
  serve(revealContact, revealWithin),
]
