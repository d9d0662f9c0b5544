// What the server uses of undici, for the bundle: the whole of it (fetch, WebSocket, caches, mocks) takes a twentieth of a second
// to read at every start. A name that is not here does not build.
import Agent from 'undici/lib/dispatcher/agent.js'
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import request from 'undici/lib/api/api-request.js'

// As undici's own entry does for all of its methods.
Dispatcher.prototype.request = request

export { Agent, Pool }
