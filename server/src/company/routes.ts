import {
  getByCodes,
  getCustomTheme,
  getDictionary,
  getOtherConfig,
  getSupportedLanguages,
} from '@tillside/contract/company'
import { servePublic, serveReading } from '../kit/serve.ts'
import { readByCodes } from './codes.ts'
import { readLanguages, readOtherConfig } from './config.ts'
import { readDictionary } from './dictionary.ts'
import { readTheme } from './theme.ts'

export const companyRoutes = [
  servePublic(getCustomTheme, readTheme),
  serveReading(getSupportedLanguages, readLanguages),
  serveReading(getOtherConfig, readOtherConfig),
  serveReading(getDictionary, readDictionary),
  serveReading(getByCodes, readByCodes),
]
