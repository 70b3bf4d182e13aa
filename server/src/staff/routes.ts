import {
  changePassword,
  confirmPassword,
  login,
  logout,
  noPasswordLogin,
} from '@tillside/contract/auth'
import { getPermission, setLanguage } from '@tillside/contract/company'
import { serve, servePublic } from '../http/serve.ts'
import { serveInSteps } from '../http/serve-in-steps.ts'
import { changeOwnPassword, confirmOwnPassword } from './change-password.ts'
import { chooseLanguage } from './language.ts'
import { useLink } from './link.ts'
import { logIn } from './login.ts'
import { logOut } from './logout.ts'
import { readPermissions } from './permission.ts'

export const staffRoutes = [
  servePublic(login, logIn),
  serve(logout, logOut),
  serve(getPermission, readPermissions),
  serve(setLanguage, chooseLanguage),
  servePublic(noPasswordLogin, useLink),
  serveInSteps(changePassword, changeOwnPassword),
  serveInSteps(confirmPassword, confirmOwnPassword),
]
