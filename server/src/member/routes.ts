import { getOneCustomer } from '@tillside/contract/member'
import { serveAhead } from '../kit/serve.ts'
import { findByQuery, lookUp } from './look-up.ts'

export const memberRoutes = [serveAhead(getOneCustomer, findByQuery, lookUp)]
