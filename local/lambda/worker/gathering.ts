// What one thread has to say to another in one turn of its event loop goes as one message, a list: under load a message
// costs more than most of what it carries, and each may wake the other thread.

interface Port {
  postMessage(message: unknown): void;
}

export function gathering<Message>(port: Port): (message: Message) => void {
  let gathered: Message[] = [];
  const send = () => {
    const messages = gathered;
    gathered = [];
    port.postMessage(messages);
  };
  return (message) => {
    // A tick that is asked for while promises are resolved comes after all of them.
    if (gathered.push(message) === 1) process.nextTick(send);
  };
}
