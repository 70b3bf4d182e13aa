import { useState } from 'react'
import { useConfig } from '../company/config.ts'
import { session } from '../kit/session.ts'

const key = () => session.keyOf('calling-code')

/** The countries whose numbers the company's members have, and the one last used on this device. */
export function useCallingCode() {
  const [chosen, setChosen] = useState(() => localStorage.getItem(key()))
  const callingCodes = useConfig()?.callingCodes ?? []
  const remembered = callingCodes.find((code) => code === chosen)
  return {
    callingCodes,
    callingCode: remembered ?? callingCodes[0] ?? '1',
    chooseCallingCode: (code: string) => {
      localStorage.setItem(key(), code)
      setChosen(code)
    },
  }
}
