import {
  getCustomTheme,
  getDictionary,
  getOtherConfig,
  getSupportedLanguages,
} from '@tillside/contract/company'
import { serve, servePublic } from '../kit/serve.ts'
import { readLanguages, readOtherConfig } from './config.ts'
import { readDictionary } from './dictionary.ts'
import { readTheme } from './theme.ts'

export const companyRoutes = [
  servePublic(getCustomTheme, readTheme),
  serve(getSupportedLanguages, readLanguages),
  serve(getOtherConfig, readOtherConfig),
  serve(getDictionary, readDictionary),
]
