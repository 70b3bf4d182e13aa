import type { Config } from '../process/config.ts'
import type { Log } from '../process/log.ts'
import { emailSender } from './email.ts'
import type { Channel } from './message.ts'
import type { Sender, Senders } from './sender.ts'
import { smsSender } from './sms.ts'

const variables: Record<Channel, string> = {
  sms: 'SMS_PROVIDER or SMS_URL',
  email: 'SMTP_URL',
}

/**
 * Chooses the senders by the environment. Without a provider, production sends nothing and reports
 * the missing variable; elsewhere the message is shown in the log and on the outbox page.
 */
export function sendersOf(
  { production, mail, sms }: Pick<Config, 'production' | 'mail' | 'sms'>,
  log: Log,
): Senders {
  const without = (channel: Channel): Sender =>
    production ? absent(channel) : shownIn(log, channel)
  return {
    sms: sms === null ? without('sms') : smsSender(sms),
    email: mail === null ? without('email') : emailSender(mail),
  }
}

function absent(channel: Channel): Sender {
  return async () => ({ outcome: 'failed', problem: `${variables[channel]} is not set` })
}

function shownIn(log: Log, channel: Channel): Sender {
  return async (recipient, { text }) => {
    log.info({ channel, recipient, text }, 'message shown instead of sent')
    return { outcome: 'shown' }
  }
}
