# Processes, messages, binaries, tables, with the machine's own allocators and with all of them on malloc.
# needs: erl
cat >work.erl <<'E'
-module(work).
-export([main/0]).
fib(N) when N < 2 -> N;
fib(N) -> fib(N - 1) + fib(N - 2).
ring(Next, 0) -> Next ! stop;
ring(Next, N) -> receive Text -> Next ! Text, ring(Next, N - 1) end.
main() ->
    io:format("fib ~p~n", [fib(22)]),
    Me = self(),
    [spawn(fun() -> Me ! {I, length(lists:seq(1, I))} end) || I <- lists:seq(1, 5000)],
    Sum = lists:sum([receive {I, N} -> N end || I <- lists:seq(1, 5000)]),
    io:format("processes ~p~n", [Sum]),
    T = ets:new(t, [set, public]),
    [ets:insert(T, {I rem 20000, integer_to_binary(I), lists:duplicate(I rem 20, x)}) || I <- lists:seq(1, 100000)],
    io:format("ets ~p ~p~n", [ets:info(T, size), hd(ets:lookup(T, 777))]),
    ets:delete(T),
    B = << <<(I rem 256)>> || I <- lists:seq(1, 300000) >>,
    Parts = [binary:copy(binary:part(B, I * 1000, 1000), 50) || I <- lists:seq(0, 299)],
    io:format("binary ~p~n", [erlang:md5(Parts)]),
    M = maps:from_list([{I, integer_to_list(I)} || I <- lists:seq(1, 50000)]),
    io:format("map ~p ~p~n", [maps:size(M), erlang:phash2(M)]),
    io:format("big ~p~n", [erlang:phash2(lists:foldl(fun(A, C) -> A * C end, 1, lists:seq(1, 2000)))]),
    Z = zlib:compress(B),
    io:format("zlib ~p~n", [zlib:uncompress(Z) =:= B]),
    Port = open_port({spawn, "echo child"}, [exit_status]),
    receive {Port, {data, Data}} -> io:format("port ~p~n", [Data]) end,
    erlang:garbage_collect(),
    halt(0).
E
run erlc work.erl
run erl -noshell -pa . -s work main
run erl +Mea min -noshell -pa . -s work main
run erl +S 2 +MBas aobf -noshell -eval 'io:format("~p~n", [lists:sum(lists:seq(1, 100000))]), halt(0).'
