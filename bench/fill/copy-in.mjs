// COPY … FROM STDIN over the driver's own connection: rows as lines of text, sent as fast as the server takes them.

/** Copies rows, each an array of columns, into a table; null is NULL. */
export function copyIn(client, into, rows) {
  return new Promise((resolve, reject) => {
    client.query(new Copy(`copy ${into} from stdin`, rows, resolve, reject))
  })
}

/** What the driver calls while such a statement runs. */
class Copy {
  constructor(text, rows, resolve, reject) {
    Object.assign(this, { text, rows, resolve, reject })
  }

  submit(connection) {
    connection.query(this.text)
  }

  handleCopyInResponse(connection) {
    const lines = []
    for (const row of this.rows) {
      lines.push(row.map(asText).join('\t'))
      if (lines.length === 1_000) connection.sendCopyFromChunk(Buffer.from(`${lines.splice(0).join('\n')}\n`))
    }
    if (lines.length > 0) connection.sendCopyFromChunk(Buffer.from(`${lines.join('\n')}\n`))
    connection.endCopyFrom()
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    this.resolve()
  }

  handleError(error) {
    this.reject(error)
  }
}

/** Our own words and figures: none has a tab, a line's end or a backslash that means itself. */
const asText = (value) => (value === null ? '\\N' : String(value))
