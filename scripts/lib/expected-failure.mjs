/** A failure the user can act on: its message is printed as is, without a stack. */
export class ExpectedFailure extends Error {}

/** Runs `work`; an expected failure becomes its message on stderr and exit code 1. */
export async function reportingFailures(work) {
  try {
    return await work()
  } catch (error) {
    const message = error instanceof ExpectedFailure ? error.message : diskTrouble(error)
    if (message === null) throw error
    process.stderr.write(`${message}\n`)
    return process.exit(1)
  }
}

function diskTrouble({ code, path }) {
  if (code === 'ENOSPC') return 'The disk is full. Make some room, then try again.'
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) return null
  return `Kestrel may not write ${path} (${code}). Check who owns it, then try again.`
}
