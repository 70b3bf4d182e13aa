import { SMTPServer } from 'smtp-server'

/** The behaviour of an SMTP server: it accepts mail, refuses with a status, or does not answer. */
export type SmtpBehaviour = 'accept' | 'silent' | number

export type TestSmtpServer = {
  port: number
  url: string
  /** Accepted mail: its recipients and the raw message. */
  taken: { to: string[]; raw: string }[]
  behaviour: SmtpBehaviour
  close(): Promise<void>
}

/** A real SMTP server. */
export async function startSmtpServer(port = 0): Promise<TestSmtpServer> {
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    logger: false,
    onRcptTo(_address, _session, callback) {
      const { behaviour } = running
      if (behaviour === 'silent') return
      if (behaviour === 'accept') return callback()
      callback(Object.assign(new Error('no such mailbox here'), { responseCode: behaviour }))
    },
    onData(stream, { envelope }, callback) {
      let raw = ''
      stream.setEncoding('utf8').on('data', (text: string) => (raw += text))
      stream.on('end', () => {
        running.taken.push({ to: envelope.rcptTo.map(({ address }) => address), raw })
        callback()
      })
    },
  })
  server.on('error', () => {}) // tests with clients that disconnect cause errors here
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const address = server.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  const running: TestSmtpServer = {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    taken: [],
    behaviour: 'accept',
    close: () => new Promise((done) => server.close(() => done())),
  }
  return running
}
