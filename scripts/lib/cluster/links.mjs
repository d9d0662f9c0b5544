// The network of the cluster: every connection between its parts goes through here, over a link that can be cut. A link that
// is cut says nothing, as a network does that is gone: what is sent is swallowed, and nobody is told.
//
// A program of its own, `node links.mjs FILE`: the file has { control, links: [{ name, listen, to }] }.
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer } from 'node:net'

const HOST = '127.0.0.1'

function openLink({ name, listen, to }) {
  const pairs = new Set()
  let isCut = false
  const carry = (pair) => {
    pair.isCarried = true
    const [near] = pair.ends
    const far = connect({ host: HOST, port: to })
    pair.ends.push(far)
    far.setNoDelay(true)
    for (const [from, into] of [
      [near, far],
      [far, near],
    ]) {
      from.on('error', () => into.destroy())
      from.on('close', () => {
        // A goodbye does not cross a cut link either.
        if (!pair.isSwallowed) into.destroy()
        pairs.delete(pair)
      })
      from.on('data', (chunk) => {
        if (!into.destroyed && !into.write(chunk)) from.pause()
      })
      into.on('drain', () => pair.isSwallowed || from.resume())
    }
  }
  const server = createServer((near) => {
    const pair = { ends: [near], isCarried: false, isSwallowed: isCut }
    pairs.add(pair)
    near.setNoDelay(true)
    near.on('error', () => near.destroy())
    near.on('close', () => pairs.delete(pair))
    if (isCut) near.pause()
    else carry(pair)
  })
  server.listen(listen, HOST)
  return {
    name,
    isCut: () => isCut,
    cut: () => {
      isCut = true
      for (const pair of pairs) {
        pair.isSwallowed = true
        for (const end of pair.ends) end.pause()
      }
    },
    /** What was under way meanwhile is lost, as with a network that forgot its connections. */
    mend: () => {
      isCut = false
      for (const pair of [...pairs].filter((each) => each.isSwallowed)) {
        for (const end of pair.ends) end.resetAndDestroy()
        pairs.delete(pair)
      }
    },
  }
}

const { control, links } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const open = links.map(openLink)

createHttpServer((request, response) => {
  const [, verb, name = ''] = request.url.split('/')
  const meant = open.filter((link) => link.name === name || link.name.startsWith(`${name}.`))
  if (verb === 'cut') for (const link of meant) link.cut()
  if (verb === 'mend') for (const link of meant) link.mend()
  const cut = open.filter((link) => link.isCut()).map((link) => link.name)
  response.end(JSON.stringify({ cut }))
}).listen(control, HOST)
