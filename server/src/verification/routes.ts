import {
  sendEmailCaptcha,
  sendMobileCaptcha,
  validateEmailCaptcha,
  validateMobileCaptcha,
} from '@tillside/contract/verification'
import { serveSteps } from '../http/serve-steps.ts'
import { sendEmailCode, sendMobileCode } from './send.ts'
import { validateEmailCode, validateMobileCode } from './validate.ts'

export const verificationRoutes = [
  serveSteps(sendMobileCaptcha, sendMobileCode),
  serveSteps(validateMobileCaptcha, validateMobileCode),
  serveSteps(sendEmailCaptcha, sendEmailCode),
  serveSteps(validateEmailCaptcha, validateEmailCode),
]
