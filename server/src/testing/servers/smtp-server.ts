import { SMTPServer } from 'smtp-server'

/** How an SMTP server behaves: it takes mail, refuses with a status, or does not answer. */
export type PostMood = 'friendly' | 'silent' | number

export type PostOffice = {
  port: number
  url: string
  /** What it took: whom for, and the message as it came. */
  taken: { to: string[]; raw: string }[]
  mood: PostMood
  close(): Promise<void>
}

/** A real SMTP server. */
export async function startPostOffice(port = 0): Promise<PostOffice> {
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    logger: false,
    onRcptTo(_address, _session, callback) {
      const { mood } = office
      if (mood === 'silent') return
      if (mood === 'friendly') return callback()
      callback(Object.assign(new Error('no such mailbox here'), { responseCode: mood }))
    },
    onData(stream, { envelope }, callback) {
      let raw = ''
      stream.setEncoding('utf8').on('data', (text: string) => (raw += text))
      stream.on('end', () => {
        office.taken.push({ to: envelope.rcptTo.map(({ address }) => address), raw })
        callback()
      })
    },
  })
  server.on('error', () => {}) // a client that gives up is what the tests are about
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const address = server.server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  const office: PostOffice = {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    taken: [],
    mood: 'friendly',
    close: () => new Promise((done) => server.close(() => done())),
  }
  return office
}
