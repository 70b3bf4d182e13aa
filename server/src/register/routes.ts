import { createCustomer } from '@tillside/contract/member'
import { sendEmailCaptcha, sendMobileCaptcha } from '@tillside/contract/verification'
import { serve } from '../http/serve.ts'
import { serveInSteps } from '../http/serve-in-steps.ts'
import { register } from './register.ts'
import { sendEmailCode, sendMobileCode } from './send-code.ts'

export const registerRoutes = [
  serve(createCustomer, register),
  // Here and not in verification/, because no code is sent to a contact that a member has.
  serveInSteps(sendMobileCaptcha, sendMobileCode),
  serveInSteps(sendEmailCaptcha, sendEmailCode),
]
