# Runs a server for the process at the other end of standard input, and ends it on that one's word: stop or kill.
# When the pipe closes without a word, that process is no more: nobody wants the server nor its data.
# A server that ends by itself ends this shell, too.
# Arguments: the server's folder, its program, the program's arguments.
folder=$1
shift
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{
  read -r word <&3
  case $word in
    stop) kill -TERM $server ;;
    kill) kill -KILL $server ;;
    *) trap '' TERM; kill -KILL $server; sleep 1; rm -rf "$folder" ;;
  esac
} &
exec 3<&-
wait $server
status=$?
kill $! 2>/dev/null
exit $status
