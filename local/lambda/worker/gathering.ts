// What one thread has to say to another in one turn of its event loop goes as one message, a list: under load a message
// costs more than most of what it carries, and each may wake the other thread.

interface Port {
  postMessage(message: unknown): void;
}

/** While more were gathered, the other thread would idle. */
const most = 4;

export function gathering<Message>(port: Port): (message: Message) => void {
  let gathered: Message[] = [];
  const send = () => {
    if (gathered.length === 0) return;
    const messages = gathered;
    gathered = [];
    port.postMessage(messages);
  };
  return (message) => {
    const count = gathered.push(message);
    if (count === 1) setImmediate(send);
    else if (count === most) send();
  };
}
