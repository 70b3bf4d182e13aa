import { getOneCustomer } from '@tillside/contract/member'
import { serveReading } from '../kit/serve.ts'
import { lookUp } from './look-up.ts'

export const memberRoutes = [serveReading(getOneCustomer, lookUp)]
