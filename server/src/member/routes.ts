import { getOneCustomer } from '@tillside/contract/member'
import { serve } from '../kit/serve.ts'
import { lookUp } from './look-up.ts'

export const memberRoutes = [serve(getOneCustomer, lookUp)]
