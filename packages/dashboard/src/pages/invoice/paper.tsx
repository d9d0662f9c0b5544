import { Card } from '../../parts/card.tsx'

/** The browser's own reader in a frame shows exactly what is downloaded and mailed; a copy in HTML could differ. */
export function Paper({ name, address }: { name: string; address: string }) {
  return (
    <Card title="Preview">
      <iframe
        title={`${name} as a document`}
        src={`${address}#toolbar=0&navpanes=0&view=FitH`}
        className="mx-auto aspect-[210/297] w-full max-w-3xl rounded-control border border-line bg-white"
      />
    </Card>
  )
}
