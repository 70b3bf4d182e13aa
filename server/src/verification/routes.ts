import {
  sendEmailCaptcha,
  sendMobileCaptcha,
  validateEmailCaptcha,
  validateMobileCaptcha,
} from '@tillside/contract/verification'
import { serveInSteps } from '../http/serve-in-steps.ts'
import { sendEmailCode, sendMobileCode } from './send.ts'
import { validateEmailCode, validateMobileCode } from './validate.ts'

export const verificationRoutes = [
  serveInSteps(sendMobileCaptcha, sendMobileCode),
  serveInSteps(validateMobileCaptcha, validateMobileCode),
  serveInSteps(sendEmailCaptcha, sendEmailCode),
  serveInSteps(validateEmailCaptcha, validateEmailCode),
]
