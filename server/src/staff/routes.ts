import { login, logout } from '@tillside/contract/auth'
import { getPermission, setLanguage } from '@tillside/contract/company'
import { operationStatus } from '@tillside/contract/operation'
import { serve, servePublic } from '../kit/serve.ts'
import { chooseLanguage } from './language.ts'
import { logIn } from './login.ts'
import { logOut } from './logout.ts'
import { readOperation } from './operation.ts'
import { readPermissions } from './permission.ts'

export const staffRoutes = [
  servePublic(login, logIn),
  serve(logout, logOut),
  serve(getPermission, readPermissions),
  serve(setLanguage, chooseLanguage),
  serve(operationStatus, readOperation),
]
