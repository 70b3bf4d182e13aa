import { createCustomer, getOneCustomer } from '@tillside/contract/member'
import { serve, serveAhead } from '../kit/serve.ts'
import { findByQuery, lookUp } from './look-up.ts'
import { register } from './register.ts'

export const memberRoutes = [
  serveAhead(getOneCustomer, findByQuery, lookUp),
  serve(createCustomer, register),
]
