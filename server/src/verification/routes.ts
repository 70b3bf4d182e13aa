import { validateEmailCaptcha, validateMobileCaptcha } from '@tillside/contract/verification'
import { serveInSteps } from '../http/serve-in-steps.ts'
import { validateEmailCode, validateMobileCode } from './validate.ts'

export const verificationRoutes = [
  serveInSteps(validateMobileCaptcha, validateMobileCode),
  serveInSteps(validateEmailCaptcha, validateEmailCode),
]
